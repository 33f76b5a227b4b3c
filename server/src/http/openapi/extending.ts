import type { Schema } from './types.ts'

type ObjectSchema = Schema & Required<Pick<Schema, 'properties'>>

/** A reference takes about as much space as this many bytes of properties. */
const leastGain = 70

function isPlainObject(schema: Schema): schema is ObjectSchema {
  return (
    schema.type === 'object' && schema.properties !== undefined && schema.additionalProperties === undefined
  )
}

/** Whether all properties of the part are also properties of the whole, with the same schema. */
function isPart(part: ObjectSchema, whole: ObjectSchema): boolean {
  const properties = Object.entries(part.properties)
  if (properties.length >= Object.keys(whole.properties).length) return false
  if (!(part.required ?? []).every((name) => whole.required?.includes(name))) return false
  return properties.every(
    ([name, schema]) => JSON.stringify(whole.properties[name]) === JSON.stringify(schema),
  )
}

function withoutPart(
  { required = [], properties, type: _, ...rest }: ObjectSchema,
  part: ObjectSchema,
): Schema {
  const own = Object.entries(properties).filter(([name]) => !(name in part.properties))
  const ownRequired = required.filter((name) => !part.required?.includes(name))
  return {
    ...rest,
    ...(ownRequired.length > 0 && { required: ownRequired }),
    properties: Object.fromEntries(own),
  }
}

/** Describes an object that has all properties of another component as an extension of the largest such component. */
export function extendComponents(
  schemas: Readonly<Record<string, Schema>>,
  refer: (name: string) => Schema,
): Record<string, Schema> {
  const objects = Object.entries(schemas).filter((entry): entry is [string, ObjectSchema] =>
    isPlainObject(entry[1]),
  )
  const size = (schema: ObjectSchema) => JSON.stringify(schema.properties).length
  const largestFirst = objects.toSorted(([, a], [, b]) => size(b) - size(a))
  const extended = Object.entries(schemas).map(([name, schema]): [string, Schema] => {
    if (!isPlainObject(schema)) return [name, schema]
    const [base, part] = largestFirst.find(([, other]) => isPart(other, schema)) ?? []
    if (base === undefined || part === undefined || size(part) < leastGain) return [name, schema]
    return [name, { allOf: [refer(base), withoutPart(schema, part)] }]
  })
  return Object.fromEntries(extended)
}
