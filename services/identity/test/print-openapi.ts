import { describedApp } from './described-app.fixture.ts'

// node services/identity/test/print-openapi.ts prints the OpenAPI document of this service.
const app = await describedApp()
process.stdout.write(`${JSON.stringify(app.swagger(), null, 2)}\n`)
await app.close()
