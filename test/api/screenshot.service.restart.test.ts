import { describeRestart } from '../support/serviceRestart.ts'

describeRestart('screenshot.service.restart', 'screenshot')
