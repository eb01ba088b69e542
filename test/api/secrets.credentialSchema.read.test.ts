import { describeSchemaRead } from '../support/sealedConfigs/schemas.ts'

describeSchemaRead('credential')
