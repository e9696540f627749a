/** Whether this instance takes work: from the end of its start until it begins to stop. */
export class ServiceState {
  ready = false;
  stopping = false;
}
