import { Readable } from 'node:stream'
import { notFound } from '../change.ts'
import { Download, type HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { readImage } from './store.ts'

/** Stored pictures, each at an address that always answers the same bytes. */
export function imageHandlers(house: House): HandlersOf<'screenshot.image.read'> {
  return {
    'screenshot.image.read': async ({ params }) => {
      const hash = params.hash.toLowerCase()
      const image = await readImage(house, hash)
      if (!image) throw notFound('screenshot', hash)
      const { type, data } = image
      return new Download(Readable.from([data]), `image/${type}`, { bytes: data.length, filename: `${hash}.${type}`, immutable: hash, inline: true })
    },
  }
}
