import { describeSchemaList } from '../support/sealedConfigs/schemas.ts'

describeSchemaList('store')
