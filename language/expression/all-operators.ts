import { computingOperators } from '#language/expression/computing-operators.ts'
import { learn } from '#language/expression/expression.ts'

/** Whoever imports this computes with every operator there is. */
learn(computingOperators)
