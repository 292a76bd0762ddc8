/** Reads hostile mails one by one, in a thread that can be terminated. */
import { parentPort, workerData } from 'node:worker_threads'
import {
  readComplaint,
  readDeliveryStatus,
  readMail,
  readPlainBounce,
} from 'crier-server/bounces/read-report.ts'
import { cpuMs } from '../support/processes/cpu-time.ts'

for (const source of workerData as string[]) {
  const bytes = Buffer.from(source)
  const started = cpuMs()
  const mail = await readMail(bytes)
  if (mail) {
    readComplaint(mail)
    readDeliveryStatus(mail)
    readPlainBounce(mail)
  }
  parentPort?.postMessage(cpuMs() - started)
}
