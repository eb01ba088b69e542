import { Text } from '../fields.ts'
import { endpoint, timeoutMs } from './settings.ts'

/** Settings that all drivers of Azure Storage share. */
export const azureSettings = {
  account: Text('Name of the storage account.', {
    pattern: '^[a-z0-9]{3,24}$',
    explain: 'must have 3 to 24 characters out of a–z and 0–9',
  }),
  endpoint,
  timeoutMs,
} as const
