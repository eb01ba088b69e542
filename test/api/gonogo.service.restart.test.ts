import { describeRestart } from '../support/serviceRestart.ts'

describeRestart('gonogo.service.restart', 'gonogo')
