import { describeSealedList } from '../support/sealedConfigs/list.ts'

describeSealedList('store')
