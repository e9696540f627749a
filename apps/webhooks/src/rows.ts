import { ActivityRow } from './activities/activity.row.js';
import { DeliveryAttemptRow } from './delivery-queue/delivery-attempt.row.js';
import { DeliveryRow } from './delivery-queue/delivery.row.js';
import { ObjectRow } from './delivery-queue/object.row.js';
import { EndpointRow } from './endpoints/endpoint.row.js';
import { EventRow } from './event-log/event.row.js';

/** A class per table. */
export const webhooksRows = [EndpointRow, EventRow, ObjectRow, DeliveryRow, DeliveryAttemptRow, ActivityRow];
