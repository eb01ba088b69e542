import { crc32 } from 'node:zlib'
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'
import { Problem } from '../../platform/errors.ts'
import type { Unpacking } from './unpacking.ts'
import { unreadable } from './unreadable.ts'

/** A file in an archive; nothing of it ever gets a path on this machine. */
export interface PackedFile {
  readonly name: string
  readonly bytes: AsyncIterable<Buffer>
}

const maxEntries = 10_000

/** The files of a ZIP archive in their order; folders and the notes of a Mac are passed over. */
export async function* readZip(archive: Buffer, unpacking: Unpacking): AsyncGenerator<PackedFile> {
  try {
    const zip = await fromBufferPromise(archive)
    const count = zip.entryCount.toLocaleString('en')
    if (zip.entryCount > maxEntries) throw unreadable(`the archive has ${count} files, and at most ${maxEntries.toLocaleString('en')} are read`)
    for await (const entry of zip.eachEntry()) {
      if (!/\/$|^__MACOSX\//.test(entry.fileName)) yield { name: entry.fileName, bytes: unpacking.bounded(unpack(zip, entry), () => entry.compressedSize) }
    }
  } catch (error) {
    throw explain(error)
  }
}

async function* unpack(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  if (entry.isEncrypted()) throw unreadable(`the file ${entry.fileName} is encrypted`)
  try {
    let sum = 0
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      const bytes = piece as Buffer // the stream has no encoding set
      sum = crc32(bytes, sum)
      yield bytes
    }
    if (sum !== entry.crc32) throw unreadable(`the file ${entry.fileName} is damaged: its checksum is not right`)
  } catch (error) {
    throw explain(error)
  }
}

const explain = (error: unknown): unknown =>
  error instanceof Problem || !(error instanceof Error) ? error : unreadable(`this is not a valid ZIP archive: ${error.message.replace(/\.$/, '')}`)
