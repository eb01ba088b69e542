import { describeSealedDelete } from '../support/sealedConfigs/delete.ts'

describeSealedDelete('store')
