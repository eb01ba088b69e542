import { describeSealedRead } from '../support/sealedConfigs/read.ts'

describeSealedRead('credential')
