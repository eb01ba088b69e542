import { fromRedis } from '../fromRedis.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { pageOf } from '../paging.ts'
import { restartService } from '../workers/restarts.ts'
import { serviceStatus, serviceStatuses } from './serviceStatus.ts'

type Ids = `sirp.service.${'restartAll' | 'restart' | 'status' | 'statuses'}` | `${'krull' | 'screenshot' | 'gonogo'}.service.restart`

/** The internal services: how they do, and their restarts. */
export function serviceOperationHandlers(house: House): HandlersOf<Ids> {
  return {
    'sirp.service.restartAll': (request) => restartService(house, request, 'sirp'),
    'sirp.service.restart': (request) => restartService(house, request, request.params.type),
    'krull.service.restart': (request) => restartService(house, request, 'krull'),
    'screenshot.service.restart': (request) => restartService(house, request, 'screenshot'),
    'gonogo.service.restart': (request) => restartService(house, request, 'gonogo'),
    'sirp.service.status': ({ params: { service } }) => fromRedis(house, () => serviceStatus(house, service)),
    'sirp.service.statuses': async ({ query }) => pageOf(query, await fromRedis(house, () => serviceStatuses(house))),
  }
}
