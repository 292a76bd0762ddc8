/** What only the person who runs the installation can do in the app. */

import type { Operation } from '../../core/operation.ts'
import { operatorAnswerVolume } from './answer-volume.ts'
import { operatorBusinesses } from './businesses.ts'
import { operatorJobs } from './jobs.ts'
import { operatorLiftPause } from './lift-pause.ts'
import { type MailFacility, operatorMail } from './mail.ts'
import { operatorRetryJobs } from './retry-jobs.ts'
import { operatorSetTier } from './set-tier.ts'
import { operatorTiers } from './tiers.ts'
import { operatorVolumes } from './volumes.ts'

export const operatorOperations = (facility: MailFacility): Operation[] => [
  operatorBusinesses(facility),
  operatorSetTier(facility),
  operatorTiers(facility),
  operatorJobs(facility),
  operatorRetryJobs(facility),
  operatorMail(facility),
  operatorLiftPause(facility),
  operatorVolumes(facility),
  operatorAnswerVolume(facility),
]
