import { bounds } from './bounds.ts'
import type { ImageType } from './imageSize.ts'

/** A rectangle of a page, in CSS pixels. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The encoder of webp ends one pixel earlier than the others. */
const sideOf = (type: ImageType): number => (type === 'webp' ? bounds.imageSide - 1 : bounds.imageSide)

/** Cuts an area, right and below, to what an image may have; `scale` is how many pixels of the image a CSS pixel has. */
export function clipArea({ x, y, width, height }: Area, scale: number, type: ImageType): Area {
  const side = Math.floor(sideOf(type) / scale)
  const clippedWidth = Math.min(Math.max(1, Math.ceil(width)), side)
  const mostHeight = Math.floor(bounds.imagePixels / (clippedWidth * scale * scale))
  const clippedHeight = Math.max(1, Math.min(Math.ceil(height), side, mostHeight))
  return { x: Math.max(0, Math.floor(x)), y: Math.max(0, Math.floor(y)), width: clippedWidth, height: clippedHeight }
}
