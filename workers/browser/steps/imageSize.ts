/** The types of images that are taken. */
export type ImageType = 'png' | 'jpeg' | 'webp'

/** Width and height in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Reads the size of an image from its own bytes. */
export function sizeOf(bytes: Buffer, type: ImageType): Size {
  if (type === 'png') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  return type === 'jpeg' ? sizeOfJpeg(bytes) : sizeOfWebp(bytes)
}

/** The size stands in the frame header, behind other segments that each say how long they are. */
function sizeOfJpeg(bytes: Buffer): Size {
  let at = 2
  while (at + 9 < bytes.length) {
    const marker = bytes.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  throw new Error('The jpeg that the browser made has no frame header.')
}

/** Three kinds of first chunk say the size in three ways: extended, lossless and lossy. */
function sizeOfWebp(bytes: Buffer): Size {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
}
