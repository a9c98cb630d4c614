import { learn } from '#language/expression/expression.ts'
import { moreOperators } from '#language/expression/operators-more.ts'

/** Whoever imports this computes with every operator there is. */
learn(moreOperators)
