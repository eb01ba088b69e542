import { describeScheduleCreation, describeScheduleVariant } from '../support/scheduleCreation.ts'

describeScheduleCreation('almanac.schedule.create')
describeScheduleVariant('almanac.schedule.create')
