/** The parts of JSON Schema that the catalogue uses. */
export interface Schema {
  type?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  minProperties?: number
  maxProperties?: number
  propertyNames?: Schema
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}
