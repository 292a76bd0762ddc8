/**
 * fast-check with a fixed seed, so that a commit has the same result on every machine.
 * PROPERTY_SEED sets another seed; a failure with it should become an example of its own.
 */
import fc from 'fast-check'

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_122),
})

export { fc }
