/** The browser of the docs' sign-ins: a person who agrees to everything. */
import { approveAndReturn, everything } from '../support/clients/sign-in.ts'

const [url = ''] = process.argv.slice(2)
await approveAndReturn(url, { email: process.env['PERSON'] ?? '', choose: everything })
