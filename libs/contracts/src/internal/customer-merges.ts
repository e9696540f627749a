/** Every service that keeps objects of customers: `POST /internal/customer-merges/check`. Nothing changes. */
export interface CheckMergeRequest {
  sourceCustomerId: string;
  targetCustomerId: string;
}

/** Why two customers cannot be one: `code` for programs, `message` for people. */
export interface MergeConflict {
  code: string;
  message: string;
}

/** How many objects of a kind go, or went, to the other customer. */
export interface MovedObjects {
  object: string;
  count: number;
}

export interface CheckMergeResponse {
  conflicts: MergeConflict[];
  moves: MovedObjects[];
}

/** How far a service is with a merge. */
export interface MergeProgress {
  mergeId: string;
  /** `waiting`: something under way keeps the objects where they are until it has ended. */
  status: 'pending' | 'waiting' | 'completed' | 'undoing' | 'undone';
  moved: MovedObjects[];
  /** ISO instant. */
  completedAt: string | null;
  /** ISO instant. */
  undoneAt: string | null;
}

/** The same services: `GET /internal/customer-merges?ids=…`. Merges that a service has not heard of are missing. */
export interface MergeProgressResponse {
  merges: MergeProgress[];
}

/** The same services: `POST /internal/customer-merges/:id/check-undo`. Nothing changes. */
export interface CheckUndoResponse {
  conflicts: MergeConflict[];
}

/** The same services: `GET /internal/customer-merges/:id/objects`. */
export interface MergedObjectsResponse {
  objects: { object: string; id: string }[];
  total: number;
}
