import { Problem } from '../../../platform/errors.ts'
import type { Connection } from '../../../platform/prisma/database.ts'
import type { CellarFile as FileRow } from '../../../platform/prisma/generated/client.ts'
import { isDuplicate } from '../../../platform/prisma/failures.ts'
import { tellFormat } from '../../../query/formats/tellFormat.ts'
import { change, missed } from '../../change.ts'
import type { RequestFacts } from '../../handler.ts'
import type { House } from '../../house.ts'
import { releaseContent } from './contents.ts'
import { ContentWriter, type StoredContent } from './contentWriter.ts'
import { keptType, toldType } from './contentTypes.ts'
import { receive, type Received } from './receive.ts'

/** Says how a taken name can be had. */
export const takenName = (name: string): string =>
  `There is a cellar file ${JSON.stringify(name)} already; upload with ?replace=true to replace it, or choose another name.`

/** Receives an upload and keeps it as a file; whatever goes wrong, nothing of it stays. */
export async function keepUpload(house: House, request: RequestFacts, replace: boolean): Promise<FileRow> {
  const writer = new ContentWriter(house.pool, house.env.cellarMaxBytes)
  const checkName = async (name: string): Promise<void> => refuse(request, name, replace, await house.db.cellarFile.findUnique({ where: { name } }))
  try {
    const received = await receive(request.upload, house.env, writer, checkName)
    return await keepFile(house, request, columnsOf(received, await writer.finish()), replace)
  } catch (error) {
    // In doubt whether the file was kept, its content is left to the reaper, which looks whether a file holds it.
    if (!(error instanceof InDoubt)) await writer.discard().catch((err: unknown) => house.log.warn({ err }, 'the content of a failed upload was not removed yet'))
    throw error instanceof InDoubt ? error.cause : error
  }
}

/** A transaction that failed without telling whether it was committed. */
class InDoubt extends Error {}

type Columns = Pick<FileRow, 'name' | 'contentId' | 'contentType' | 'format' | 'bytes' | 'sha256'>

function columnsOf({ name, contentType }: Received, { id, bytes, sha256, head }: StoredContent): Columns {
  const told = toldType(contentType)
  const format = tellFormat({ name, contentType: told, head, isWhole: head.length === bytes })
  return { name, contentId: id, contentType: keptType(told, format), format, bytes: BigInt(bytes), sha256 }
}

async function keepFile(house: House, request: RequestFacts, columns: Columns, replace: boolean): Promise<FileRow> {
  const taken = takenName(columns.name)
  try {
    return await change(house, request, { target: columns.name, write: (tx) => put(tx, request, columns, replace), taken })
  } catch (error) {
    if (error instanceof Problem || isDuplicate(error)) throw error
    throw new InDoubt('the upload may have been kept', { cause: error })
  }
}

/** Writes the row of the file; `change` puts the uploads of one name in line, so none of them comes in between. */
async function put(tx: Connection, request: RequestFacts, columns: Columns, replace: boolean): Promise<FileRow> {
  const there = await lockFile(tx, columns.name)
  refuse(request, columns.name, replace, there)
  if (!there) return tx.cellarFile.create({ data: { ...columns, id: request.newId } })
  await releaseContent(tx, there.contentId)
  return tx.cellarFile.update({ where: { id: there.id }, data: { ...columns, version: { increment: 1 } } })
}

interface LockedFile {
  readonly id: string
  readonly contentId: string
  readonly version: number
}

/** Finds a file and keeps everybody else from changing it until the transaction ends. */
export async function lockFile(tx: Connection, name: string): Promise<LockedFile | null> {
  const [file] = await tx.$queryRaw<LockedFile[]>`SELECT id, content_id AS "contentId", version FROM cellar_files WHERE name = ${name} FOR UPDATE`
  return file ?? null
}

/** Throws where the name is taken, or is not at the version that the request asks for. */
function refuse({ ifMatch }: RequestFacts, name: string, replace: boolean, there: { version: number } | null): void {
  if (there && !replace) throw new Problem('conflict', takenName(name))
  if (ifMatch !== undefined && there?.version !== ifMatch) {
    throw there ? missed('cellar file', name, there) : new Problem('precondition_failed', `There is no cellar file ${JSON.stringify(name)} that could be at version ${ifMatch}.`)
  }
}
