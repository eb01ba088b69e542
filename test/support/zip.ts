import { crc32, deflateRawSync } from 'node:zlib'

/** A ZIP archive of some files; a name that ends in a slash is a folder. */
export function zipOf(files: Iterable<readonly [name: string, content: string | Uint8Array]>, { badSum = false } = {}): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, content] of files) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const facts = factsOf(badSum ? 1 : crc32(bytes), packed.length, bytes.length, Buffer.byteLength(name))
    const local = Buffer.concat([numbers([4, 0x04034b50]), facts, Buffer.from(name), packed])
    entries.push(Buffer.concat([numbers([4, 0x02014b50], [2, 20]), facts, numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], [2, entries.length], [2, entries.length], [4, directory.length], [4, offset], [2, 0])
  return Buffer.concat([...locals, directory, end])
}

/** What both headers of a file say of it: version, UTF-8 name, deflated, no time, and its sizes. */
const factsOf = (sum: number, packed: number, size: number, name: number): Buffer => numbers([2, 20], [2, 0x0800], [2, 8], [2, 0], [2, 0], [4, sum], [4, packed], [4, size], [2, name], [2, 0])

function numbers(...fields: ReadonlyArray<readonly [size: number, value: number]>): Buffer {
  return Buffer.concat(fields.map(([size, value]) => {
    const bytes = Buffer.alloc(size)
    bytes.writeUIntLE(value, 0, size)
    return bytes
  }))
}
