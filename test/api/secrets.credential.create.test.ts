import { describeSealedCreate } from '../support/sealedConfigs/create.ts'
import { describeSealedRefusals } from '../support/sealedConfigs/refusals.ts'

describeSealedCreate('credential')
describeSealedRefusals('credential', 'create')
