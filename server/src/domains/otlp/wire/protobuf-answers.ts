import { create, toBinary } from '@bufbuild/protobuf'
import { ExportResponseSchema, StatusSchema } from './proto/answers_pb.ts'

export function responseInProtobuf(rejected: number, errorMessage: string): Uint8Array {
  const message = rejected === 0 ? {} : { partialSuccess: { rejected: BigInt(rejected), errorMessage } }
  return toBinary(ExportResponseSchema, create(ExportResponseSchema, message))
}

export function statusInProtobuf(code: number, message: string): Uint8Array {
  return toBinary(StatusSchema, create(StatusSchema, { code, message }))
}
