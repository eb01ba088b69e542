type FieldSets = readonly (readonly string[])[]

/** A rule over the fields of one object; it goes into that object's `allOf`, and its text is the error message. */
export interface Condition {
  readonly anyOf: readonly object[]
  readonly explain: string
}

const present = (fields: readonly string[]) => ({ required: [...fields] })

function say(sets: FieldSets): string {
  return `must have ${sets.map((fields) => fields.join(' and ')).join(', or ')}`
}

/** Holds when at least one of these sets of fields is there in full. */
export function needsOneOf(...sets: FieldSets): Condition {
  return { anyOf: sets.map(present), explain: say(sets) }
}

/** Holds when the field has none of these values, or at least one of these sets of fields is there in full. */
export function needsWhen(field: string, values: readonly string[], ...sets: FieldSets): Condition {
  const otherwise = { not: { ...present([field]), properties: { [field]: { enum: [...values] } } } }
  return { anyOf: [otherwise, ...sets.map(present)], explain: `${say(sets)} when ${field} is ${values.join(' or ')}` }
}
