const shops = Array.from({ length: 50 }, (_, number) => `shop ${number}`)
const categories = ['books', 'toys', 'garden', 'food', 'tools', 'music', 'games', 'paper']

/** Lines of newline-delimited JSON, of eight columns and about 120 bytes each; the same at every run. */
export function* lines(count: number): Generator<string> {
  const random = numbersFrom(7)
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  for (let id = 0; id < count; ) {
    let block = ''
    for (const end = Math.min(count, id + 1_000); id < end; id += 1) {
      const sku = `A-${Math.floor(random() * 1e8)}`
      const price = Math.round(random() * 1e5) / 100
      const rating = random() < 0.1 ? null : Math.round(random() * 50) / 10
      block += `${JSON.stringify({ id, sku, shop: pick(shops), category: pick(categories), price, stock: Math.floor(random() * 500), active: random() < 0.8, rating })}\n`
    }
    yield block
  }
}

/** Numbers from 0 up to 1 that look random. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
