import { learn } from '#language/expression.ts'
import { moreOperators } from '#language/operators-more.ts'

/** Whoever imports this computes with every operator there is. */
learn(moreOperators)
