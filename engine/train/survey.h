/* SPDX-License-Identifier: GPL-3.0-or-later */
/* survey.h - what a model's hidden units do in positions of the data. */
#pragma once
#include "engine/train/dataset.h"

/* The engine's integer of an activation below that is 0. */
#define SURVEY_LEAST (0.5F / NETWORK_ACTIVATION_MAX)

/* Some samples and their activations, as model_forward() leaves them. */
typedef void SurveyVisit(void *user, const ModelSamples *samples, const float *activations);

/* Visits at most `count` of the training positions, spread evenly over the data. False without
 * memory. */
bool survey(const float *parameters, ModelShape shape, const Dataset *data, uint32_t count,
            SurveyVisit *visit, void *user, Error *err) MUST_CHECK;
