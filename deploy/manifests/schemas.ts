import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'

type Bundle = { definitions: Record<string, object>; kinds: Record<string, object> }

const FOLDER = join(import.meta.dirname, '..', 'schemas')
/** Kubernetes 1.36 itself, and the kinds that controllers bring (deploy/schemas/README.md). */
const BUNDLES = ['kubernetes.json', 'custom-resources.json']

/** Violations of the schema of an object's kind; unknown fields are errors, like missing ones. */
export function createSchemaCheck(): (manifest: { apiVersion: string; kind: string }) => string[] {
  const validators = new Map<string, () => ValidateFunction>()
  for (const file of BUNDLES) {
    const bundle = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Bundle
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
    const home = `https://tapeline.example/${file}`
    ajv.addSchema({ $id: home, definitions: bundle.definitions })
    for (const [kind, schema] of Object.entries(bundle.kinds)) {
      const id = `${home}/${kind}`
      validators.set(kind, () => ajv.getSchema(id) ?? ajv.compile({ ...pointTo(home, schema), $id: id }))
    }
  }
  return (manifest) => {
    const kind = `${manifest.apiVersion}/${manifest.kind}`
    const validate = validators.get(kind)?.()
    if (validate === undefined) return [`${kind}: there is no schema for it`]
    return validate(manifest) ? [] : complaintsOf(validate)
  }
}

export function createComposeCheck(): (compose: unknown) => string[] {
  const schema = JSON.parse(readFileSync(join(FOLDER, 'compose.json'), 'utf8')) as { $schema?: string }
  delete schema.$schema
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema)
  return (compose) => (validate(compose) ? [] : complaintsOf(validate))
}

function complaintsOf({ errors }: ValidateFunction): string[] {
  return (errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** A kind's own references lead to the definitions of its bundle. */
function pointTo(home: string, schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', `"${home}#/definitions/`)) as object
}
