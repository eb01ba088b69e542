/** How much of a page is remembered, and how much of that is kept. */
export const flightBounds = {
  requests: 500,
  lines: 100,
  lineBytes: 2_048,
  urlBytes: 2_048,
  /** More is remembered than kept, so that a secret at the end is seen as a whole. */
  seenBytes: 4_096,
  headerBytes: 512,
  /** All requests and lines together, as JSON. */
  harBytes: 512 * 1_024,
  thumbnailBytes: 512 * 1_024,
  thumbnailSide: 640,
  /** Whoever sends more secrets than this gets no flight: looking for each of them everywhere would take too long. */
  secrets: 1_000,
  /** How long looking at a page that failed may take. */
  landMs: 1_000,
} as const
