import { Tapeline } from '@tapeline/client'

for (const instrument of await new Tapeline().instruments.list()) console.log(instrument)
