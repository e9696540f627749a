import type { ICustomPartitioner, Message, PartitionerArgs } from 'kafkajs';

/** A message that is placed among so many of its topic's partitions; absent: among all that it has. */
export interface PlacedMessage extends Message {
  readonly partitions?: number | undefined;
}

/**
 * Places by key as `byKey` does. A producer that does not know as many partitions yet does not place at all: the next one does.
 */
export const placedAmong =
  (byKey: ICustomPartitioner): ICustomPartitioner =>
  () => {
    const place = byKey();
    return (args: PartitionerArgs): number => {
      const { partitions } = args.message as PlacedMessage;
      if (partitions === undefined) return place(args);
      if (args.partitionMetadata.length < partitions)
        throw new Error(
          `${args.topic} has ${partitions} partitions, of which ${args.partitionMetadata.length} are known`,
        );
      return place({ ...args, partitionMetadata: args.partitionMetadata.slice(0, partitions) });
    };
  };
