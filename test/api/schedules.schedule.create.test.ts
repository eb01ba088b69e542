import { describeScheduleCreation, describeScheduleVariant } from '../support/scheduleCreation.ts'

describeScheduleCreation('schedules.schedule.create')
describeScheduleVariant('schedules.schedule.create')
