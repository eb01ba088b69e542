import { Type, type Static } from 'typebox'
import { Closed, FileName, OneOf } from '../schemas.ts'

/** Where rows go, in which form, and how many at once. */
export const StreamConfig = Closed({
  store: Type.With(FileName, { description: 'Name of the store that receives the rows.' }),
  format: Type.Optional(OneOf(['ndjson', 'json', 'csv', 'parquet'], { description: 'Form of the rows; what the store prefers unless given.' })),
  batch: Type.Optional(
    Closed(
      {
        rows: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Most rows in a batch.' })),
        bytes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_073_741_824, description: 'Most bytes in a batch.' })),
        ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000, description: 'Longest that a row waits for its batch to fill.' })),
      },
      { description: 'A batch is sent as soon as one of its bounds is reached.' },
    ),
  ),
  processors: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1_048_576 }), { description: 'Query texts that the rows pass through on their way.' }),
  ),
  ordered: Type.Optional(Type.Boolean({ default: false, description: 'Deliver batches one after another, in the order of writing.' })),
})
export type StreamConfig = Static<typeof StreamConfig>
