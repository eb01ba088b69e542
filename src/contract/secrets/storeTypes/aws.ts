import { Type } from 'typebox'
import { Text } from '../fields.ts'
import { endpoint, timeoutMs } from './settings.ts'

/** Settings that all drivers of AWS share. */
export const awsSettings = {
  region: Type.Optional(Text('Region of the resource.', { default: 'us-east-1' })),
  endpoint,
  timeoutMs,
} as const

/** An Amazon Resource Name of one service. */
export function Arn(service: string, description: string) {
  return Text(description, {
    pattern: `^arn:[a-z\\-]+:${service}:[a-z0-9\\-]+:[0-9]{12}:\\S+$`,
    explain: `must be an ARN, such as arn:aws:${service}:eu-central-1:123456789012:rows`,
  })
}

/** Order and duplicates on queues and topics whose name ends with .fifo. */
export const fifoSettings = {
  groupColumn: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'FIFO only: column whose value is the message group; one group for all rows when left out.',
    }),
  ),
  deduplicationColumn: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'FIFO only: column whose value tells duplicates; a hash of the row when left out.',
    }),
  ),
} as const
