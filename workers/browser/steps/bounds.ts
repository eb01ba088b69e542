const mebibyte = 2 ** 20

/** How far each step goes. */
export const bounds = {
  /** A navigation, and each wait for something of the page. */
  navigationMs: 30_000,
  /** An action that leads nowhere is over when the network was quiet for this long, or after the next bound at the latest. */
  quietMs: 500,
  settleMs: 5_000,
  resultBytes: 8 * mebibyte,
  resultDepth: 64,
  /** Characters of all elements that a selector matches, of the storages of one page, and of those of a whole session. */
  elementChars: 32 * mebibyte,
  storageChars: 16 * mebibyte,
  sessionChars: 32 * mebibyte,
  errorChars: 10_000,
  titleChars: 10_000,
  requests: 2_000,
  responseBytes: mebibyte,
  responsesBytes: 32 * mebibyte,
  /** Responses beyond this are not held by the browser, so that their text is not there. */
  heldResponseBytes: 8 * mebibyte,
  heldResponsesBytes: 64 * mebibyte,
  imageSide: 16_384,
  imagePixels: 40_000_000,
} as const
