import { Module } from '@nestjs/common';
import { ActivitiesController, CustomerActivitiesController } from './activities.controller.js';
import { ReadActivities } from './activity.read.js';
import { AddComment } from './add-comment.js';
import { PinActivity } from './pin-activity.js';
import { RecordActivities } from './record-activities.js';

/** The activity log of customers. */
@Module({
  controllers: [CustomerActivitiesController, ActivitiesController],
  providers: [RecordActivities, ReadActivities, AddComment, PinActivity],
  exports: [RecordActivities],
})
export class ActivitiesModule {}
