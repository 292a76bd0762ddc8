/** How many people an A/B test needs to tell two shares apart. */

/** 95 % over all pairs of so many variants, as the service judges (`proportions.ts`). */
const quantiles = [1.96, 1.96, 1.96, 2.394, 2.638, 2.807]

/** The difference is found in four of five tests. */
const power = 0.8416

/** How much better the other variant has to be, as a part of the usual share. */
const gain = 4 / 3

/** The share that the estimate compares with, at most all people. */
export const betterThan = (usual: number) => Math.min(1, usual * gain)

/** For each variant, where one of them moves `better` of its people and the others `usual`. */
export function peopleNeeded(usual: number, variants: number): number {
  const better = betterThan(usual)
  if (usual <= 0 || better <= usual) return Infinity
  const z = quantiles[Math.min(variants, quantiles.length - 1)] ?? 1.96
  const middle = (usual + better) / 2
  const spread =
    z * Math.sqrt(2 * middle * (1 - middle)) +
    power * Math.sqrt(usual * (1 - usual) + better * (1 - better))
  return Math.ceil((spread / (better - usual)) ** 2)
}
