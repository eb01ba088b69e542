import { describeRestart } from '../support/serviceRestart.ts'

describeRestart('sirp.service.restartAll', 'sirp')
