import type { Processor } from '../../src/queues/processor.ts'
import type { House } from '../../src/services/house.ts'
import { buildOrder } from '../../src/services/sirp/engine/rowOrders.ts'
import type { OpenScratch } from './scratch.ts'

/** Makes the rows of a finished stage anew in the order of a column. */
export function orderProcessor(house: House, openScratch: () => OpenScratch): Processor<'query.order'> {
  return async (order, { signal }) => {
    const scratch = openScratch()
    try {
      await buildOrder(house, order, { signal, scratch })
    } finally {
      await scratch.close()
    }
  }
}
