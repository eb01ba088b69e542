import type { Query } from '../../contract/sirp/queryRecord.ts'
import { createdWithin } from '../createdWithin.ts'
import type { HandlersOf, Request } from '../handler.ts'
import type { House } from '../house.ts'
import { readPage, type Paged } from '../paging.ts'
import { screenshotsOf } from '../screenshot/ofQuery.ts'
import { deleteQuery } from './queryDelete.ts'
import { findQuery, omitUnread, presentQuery } from './queryRecords.ts'
import { readStatus } from './queryStatus.ts'

type Ids = `sirp.query.${'list' | 'read' | 'delete' | 'status' | 'screenshots'}`

/** Queries that were started: their records and where they stand. */
export function queryHandlers(house: House): HandlersOf<Ids> {
  return {
    'sirp.query.list': ({ query }) => listQueries(house, query),
    'sirp.query.read': async ({ params }) => presentQuery(await findQuery(house, params.id)),
    'sirp.query.delete': (request) => deleteQuery(house, request, request.params.id),
    'sirp.query.status': ({ params }) => readStatus(house, params.id),
    'sirp.query.screenshots': async ({ params, query }) => {
      await readStatus(house, params.id)
      return screenshotsOf(house, params.id, query)
    },
  }
}

type Filters = Request<'sirp.query.list'>['query']

function listQueries({ db }: House, { status, text, from, to, ...page }: Filters): Promise<Paged<Query>> {
  const where = {
    parentId: null, // what a query runs as a template is a part of it
    ...(status === undefined ? {} : { status }),
    // The signs that stand for anything in LIKE are taken literally.
    ...(text === undefined ? {} : { query: { contains: text.replaceAll(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const } }),
    createdAt: createdWithin(from, to),
  }
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]
  return readPage(
    page,
    { rows: (window) => db.query.findMany({ where, ...window, orderBy, omit: omitUnread }), count: () => db.query.count({ where }) },
    presentQuery,
  )
}
