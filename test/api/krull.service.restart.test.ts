import { describeRestart } from '../support/serviceRestart.ts'

describeRestart('krull.service.restart', 'krull')
