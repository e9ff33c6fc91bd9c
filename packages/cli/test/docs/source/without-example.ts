/**
 * Functions of package entries that have no `@example`, by package and reason. What they need does not fit a
 * line.
 */
export const WITHOUT_EXAMPLE: Readonly<
  Record<string, readonly { readonly why: string; readonly names: string }[]>
> = {
  shuffler: [{ why: 'it moves one block of a batch that is shuffled in parts', names: 'scatterBlock' }],
  accounting: [
    {
      why: 'it takes the laws of a mechanism at many places or a whole set of groups; certifiedEpsilon and composedEpsilon show the form',
      names: `sharpestDelta sharpestEpsilon typedUpperDeltas typedUpperEpsilons sharpDelta sharpEpsilon worstMixedData
        mixtureAtoms parallelProfile widerCells namedComposition roughUpperEnd certifiedComposedEpsilon gaussianLimitEpsilon
        asymmetricVariationRatioDivergence asymmetricVariationRatioEpsilon`,
    },
    {
      why: 'it takes a published bound and its setting; docs/accounting.md has the values of all',
      names: `evaluatePublishedBounds evaluateParallelBounds evaluateBound evaluatePersonalizedBounds evaluatePersonalizedBound
        cheuZhilyaevFlip localDeltaTerm binomialDummyTrials geometricDummyMode splitAndMixShares publishedClaim`,
    },
    {
      why: 'it takes the budget groups of many users; docs/personalized.md shows the command',
      names: `cloneCountLaw shuffledCountEpsilon expectedEchoes userLevelEpsilon confoundingProbabilities hypothesisTestingTradeOff
        personalizedBlanketEpsilon personalizedPrivacy personalizedBlanketDelta threatenedPersonalizedPrivacy`,
    },
    {
      why: 'it is a part of a search, whose whole is calibrate',
      names:
        'secantBracket largestLocalBudget calibratedLocalBudget sharplyMet targetLook searchTolerance singleMessagePrivacy messageDivergence',
    },
    {
      why: 'it takes a description of many blanket messages; docs/sets.md and docs/composition.md show values',
      names: `poissonSlots setDivergence setDivergenceCurve setDivergenceLower setDivergenceUpper slotSetDivergenceLower
        slotSetDivergenceUpper signedCountDivergence noisyCountEpsilon geometricDummyDivergence geometricDummyRatios sharedSumDelta
        sharedSumEpsilon`,
    },
    {
      why: 'it takes a whole profile and its threats; docs/threats.md shows the commands',
      names: 'requireThreats underThreats leastParticipants collusion threatenedMessagePrivacy',
    },
  ],
  protocols: [
    {
      why: 'a protocol: it is made by the create function of its kind of data, which has an example',
      names:
        'segmentedProtocol shuffledOracle hierarchicalRangeQueries sampledVectorMean createHeavyHitterProtocol',
    },
    {
      why: 'a part of the protocols for sets, which takes a setting and the counts of all levels',
      names: `aggregateSegmented parametersAt theoreticalBound
        certifiedPrivacy publishedPrivacy errorGivenLevels levelHistograms formatMessage`,
    },
    {
      why: 'it takes a whole data set, a tree or a model',
      names: `countsOf sumOver keyMeans isShuffled aggregateGradients roundUsers
        trainFederated accuracy splitTable classifyByVote correctShare majorityShare
        forestRounds trainFederatedForest trainForest leastMessagesPerUser treeRounds averageVector
        topQuality bitLevels forestAnswers forestQueries worstEpsilonOfRounds sampleSize gridPoints selectPoints anomalyScores areaUnderCurve
        isolationForest isolationRounds kMeans kMeansRounds meanSquaredDistance exactHistogram shuffledHistogram`,
    },
    {
      why: 'it takes the budgets of many users, or the users of an attack',
      names:
        'budgetGroups budgetLevels gaussianDeviation levelOf poisoningGain sampleFakeSupport poisonedError poisonedEstimate poisonedMessagesEstimate',
    },
  ],
  sealed: [
    {
      why: 'it takes sealed messages; the README of the package seals, shuffles and opens some',
      names: 'SealedIntake SealedOpening SmallBatchError hpkeOpener',
    },
  ],
  certificates: [
    {
      why: 'it takes a whole certificate; docs/certificates.md shows the commands',
      names:
        'certificateText slotLaw provedDelta roundDelta roundLoss convolutionPower excessOfLosses ordersOf verifyCertificate',
    },
  ],
  experiments: [
    {
      why: 'it reads a file, or runs an experiment: the README runs one',
      names: 'loadConfig runExperiment',
    },
    {
      why: 'it takes the budgets of many users; docs/personalized.md shows the command',
      names: 'personalizedAccount',
    },
  ],
};
