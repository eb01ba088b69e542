import type { Static } from 'typebox'
import { namesOf, type TypeRegistry } from '../typeRegistry.ts'
import { amqp } from './amqp.ts'
import { awsDynamoDb } from './awsDynamoDb.ts'
import { awsKinesis } from './awsKinesis.ts'
import { awsKinesisFirehose } from './awsKinesisFirehose.ts'
import { awsS3 } from './awsS3.ts'
import { awsSns } from './awsSns.ts'
import { awsSqs } from './awsSqs.ts'
import { azureBlobStorage } from './azureBlobStorage.ts'
import { azureQueueStorage } from './azureQueueStorage.ts'
import { azureTableStorage } from './azureTableStorage.ts'
import { cassandra } from './cassandra.ts'
import { elasticsearch } from './elasticsearch.ts'
import { gcpBigQuery } from './gcpBigQuery.ts'
import { gcpCloudStorage } from './gcpCloudStorage.ts'
import { gcpPubSub } from './gcpPubSub.ts'
import { graphistry } from './graphistry.ts'
import { hdfs } from './hdfs.ts'
import { http } from './http.ts'
import { kafka } from './kafka.ts'
import { localFile } from './localFile.ts'
import { mongodb } from './mongodb.ts'
import { mqtt } from './mqtt.ts'
import { nats } from './nats.ts'
import { nsq } from './nsq.ts'
import { pulsar } from './pulsar.ts'
import { redisPubSub } from './redisPubSub.ts'
import { sftp } from './sftp.ts'
import { snowflake } from './snowflake.ts'
import { splunkHec } from './splunkHec.ts'
import { sql } from './sql.ts'

/** Every type of store: forms, validation, masking, drivers and the documentation read it. */
export const storeTypes = {
  http,
  sftp,
  mqtt,
  amqp,
  hdfs,
  sql,
  localFile,
  nats,
  nsq,
  pulsar,
  cassandra,
  kafka,
  redisPubSub,
  awsS3,
  awsSqs,
  awsSns,
  awsKinesis,
  awsKinesisFirehose,
  awsDynamoDb,
  azureBlobStorage,
  azureQueueStorage,
  azureTableStorage,
  gcpCloudStorage,
  gcpPubSub,
  gcpBigQuery,
  elasticsearch,
  mongodb,
  splunkHec,
  snowflake,
  graphistry,
} as const satisfies TypeRegistry

/** The name of a type of store. */
export type StoreType = keyof typeof storeTypes

/** Names of the types of stores. */
export const storeTypeNames = namesOf(storeTypes)

/** The `config` of a store of this type. */
export type StoreConfig<Type extends StoreType> = Static<(typeof storeTypes)[Type]['schema']>

const withoutManifests = ['hdfs', 'amqp', 'nsq'] as const

/** A type that a manifest may name: those of stores that have manifests, and `file`, the cellar itself. */
export type ManifestType = Exclude<StoreType, (typeof withoutManifests)[number]> | 'file'

function hasManifests(type: StoreType): type is Exclude<StoreType, (typeof withoutManifests)[number]> {
  return !withoutManifests.some((other) => other === type)
}

/** Names of the types that a manifest may name. */
export const manifestTypeNames: readonly ManifestType[] = ['file', ...storeTypeNames.filter(hasManifests)]
