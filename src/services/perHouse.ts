import type { House } from './house.ts'

/** What a process has one of: made for its house when it is first asked for, and gone with it. */
export function perHouse<Thing>(make: (house: House) => Thing): (house: House) => Thing {
  const made = new WeakMap<House, { readonly thing: Thing }>()
  return (house) => {
    const known = made.get(house)
    if (known) return known.thing
    const thing = make(house)
    made.set(house, { thing })
    return thing
  }
}
