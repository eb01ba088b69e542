import { describeSealedContention } from '../support/sealedConfigs/contention.ts'
import { describeSealedRefusals } from '../support/sealedConfigs/refusals.ts'
import { describeSealedUpdate } from '../support/sealedConfigs/update.ts'

describeSealedUpdate('credential')
describeSealedContention('credential')
describeSealedRefusals('credential', 'update')
