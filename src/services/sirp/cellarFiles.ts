import { Readable } from 'node:stream'
import type { CellarFile, CellarFormat } from '../../contract/sirp/cellarFiles.ts'
import { Prisma, type CellarFile as FileRow } from '../../platform/prisma/generated/client.ts'
import { oneRow } from '../../platform/prisma/oneRow.ts'
import { change, missed } from '../change.ts'
import { Download, type HandlersOf, type RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { Records } from '../records.ts'
import { readContent, releaseContent } from './cellar/contents.ts'
import { sentType } from './cellar/contentTypes.ts'
import { exportFile } from './cellar/exportFile.ts'
import { keepUpload, lockFile } from './cellar/keepFile.ts'
import { previewOf } from './cellar/preview.ts'

type Ids = `sirp.cellarFile.${'list' | 'upload' | 'read' | 'delete' | 'export' | 'content'}`

const noun = 'cellar file'

/** Cellar files: uploads of any size, kept in the database in chunks. */
export function cellarFileHandlers(house: House): HandlersOf<Ids> {
  const files = new Records<FileRow, never, CellarFile>(house, { noun, key: 'name', table: (connection) => connection.cellarFile, stored: oneRow('cellar_files', Prisma.CellarFileScalarFieldEnum), present })

  return {
    'sirp.cellarFile.list': ({ query }) => files.list(query),
    'sirp.cellarFile.upload': async (request) => present(await keepUpload(house, request, request.query.replace ?? false)),
    'sirp.cellarFile.read': async ({ params }) => {
      const file = await files.find(params.name)
      return { ...present(file), preview: await previewOf(house, file) }
    },
    'sirp.cellarFile.delete': (request) => deleteFile(house, request, request.params.name),
    'sirp.cellarFile.export': async ({ params }) => exportFile(house, await files.find(params.name), params.mode),
    'sirp.cellarFile.content': async ({ params }) => download(house, await files.find(params.name)),
  }
}

function deleteFile(house: House, request: RequestFacts, name: string): Promise<undefined> {
  return change(house, request, {
    target: name,
    write: async (tx) => {
      const file = await lockFile(tx, name)
      if (!file || (request.ifMatch !== undefined && request.ifMatch !== file.version)) throw missed(noun, name, file)
      await tx.cellarFile.delete({ where: { id: file.id }, select: { id: true } })
      await releaseContent(tx, file.contentId)
      return undefined
    },
  })
}

function download({ pool }: House, { name, contentId, contentType, bytes }: FileRow): Download {
  const stream = Readable.from(readContent(pool, contentId, Number(bytes)), { objectMode: false })
  return new Download(stream, sentType(contentType), { filename: name, bytes: Number(bytes) })
}

function present(row: FileRow): CellarFile {
  return {
    id: row.id,
    name: row.name,
    contentType: row.contentType,
    // Only formats that were told by `tellFormat` are ever written.
    format: row.format as CellarFormat,
    bytes: Number(row.bytes),
    sha256: row.sha256,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
