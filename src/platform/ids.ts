import { randomBytes, randomUUID } from 'node:crypto'

/** A fresh record id. */
export const newId = (): string => randomUUID()

/** Random text that can stand in a URL, a header or a file name. */
export const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url')
